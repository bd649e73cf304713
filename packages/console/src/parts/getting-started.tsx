import { PackagePlus } from 'lucide';
import { Empty } from './empty.tsx';

/** For a registry that has no apps yet. */
export function GettingStarted() {
  return (
    <Empty icon={PackagePlus} text="No apps yet.">
      <p>Create a developer and an app with the operator API or the command line:</p>
      <pre>
        {
          'app-registry developer create --email ada@example.com\napp-registry app create --developer USER_ID --name "Invoice Sync"'
        }
      </pre>
    </Empty>
  );
}
