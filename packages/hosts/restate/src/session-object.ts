import { handlers, object, serde, type ObjectContext } from '@restatedev/restate-sdk'
import { runOrderSchema, type RunOrder } from './run-order.ts'
import type { RunWorkflow } from './run-workflow.ts'
import { RUN_SERVICE, SESSION_SERVICE } from './service-names.ts'

/** One session: its runs follow each other in the order in which they were sent. */
export function createSessionObject(retentionMs: number) {
  return object({
    name: SESSION_SERVICE,
    handlers: {
      turn: handlers.object.exclusive(
        { input: serde.schema(runOrderSchema), idempotencyRetention: retentionMs },
        async (context: ObjectContext, order: RunOrder): Promise<void> => {
          await context.workflowClient<RunWorkflow>({ name: RUN_SERVICE }, order.runId).run(order)
        },
      ),
    },
  })
}

export type SessionObject = ReturnType<typeof createSessionObject>
