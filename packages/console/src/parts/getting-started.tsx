/** For a registry that has no apps yet. */
export function GettingStarted() {
  return (
    <div class="empty">
      <p>No apps yet. Create a developer and an app with the operator API or the command line:</p>
      <pre>
        {
          'app-registry developer create --email ada@example.com\napp-registry app create --developer USER_ID --name "Invoice Sync"'
        }
      </pre>
    </div>
  );
}
