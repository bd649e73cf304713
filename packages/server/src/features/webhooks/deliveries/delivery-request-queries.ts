import { type Connection, find } from '../../../storage/query.ts';
import { columns } from '../../../storage/tables.ts';

/** The last request whose first delivery has this id. */
export const findDeliveryRequest = find((db, { id }: { id: string }) =>
  db.selectFrom('delivery_requests').select(columns.delivery_requests).where('delivery_id', '=', id),
);

export async function deleteDeliveryRequests(connection: Connection, deliveryIds: string[]): Promise<void> {
  await connection.run(
    connection.builder.deleteFrom('delivery_requests').where('delivery_id', 'in', deliveryIds).compile(),
  );
}
