import { handlers, object, serde, type ObjectContext } from '@restatedev/restate-sdk'
import { runOrderSchema, type RunOrder } from './run-order.ts'
import { RUN_SERVICE, SESSION_SERVICE, type RunHandlers, type SessionHandlers } from './service-contract.ts'

/** The virtual object of one session. Its handler is exclusive, so the session's runs start in the order they were sent. */
export function createSessionObject(retentionMs: number) {
  const sessionHandlers: SessionHandlers = {
    turn: handlers.object.exclusive(
      { input: serde.schema(runOrderSchema), idempotencyRetention: retentionMs },
      async (context: ObjectContext, order: RunOrder): Promise<void> => {
        await context.workflowClient<RunHandlers>({ name: RUN_SERVICE }, order.runId).run(order)
      },
    ),
  }
  return object({ name: SESSION_SERVICE, handlers: sessionHandlers })
}
