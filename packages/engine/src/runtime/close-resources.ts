import { toErrorInfo, settlesWithin, type Clock, type ErrorInfo, type ResourceEvent } from '@parley/core'

/**
 * A resource that is closed with a runtime. `close` is preferred to a dispose method because it may report kills:
 * `{ outcome: 'killed' }` for one resource, such as a server of `@parley/mcp`, or `{ killed: 2 }` for several.
 */
export type Resource = ({ close(): Promise<unknown> } | AsyncDisposable | Disposable) & {
  /** Name in the error if the resource does not close. */
  readonly name?: string | undefined
  /** Adds a listener that the runtime publishes the resource's events with. @default the resource has no events */
  readonly onEvent?: ((listener: (event: ResourceEvent) => void) => unknown) | undefined
}

export interface ClosedResources {
  readonly killed: number
  readonly errors: readonly ErrorInfo[]
}

/** Closes resources one after another. A resource that fails or takes too long is reported, and the next one is closed. */
export async function closeResources(
  resources: readonly Resource[],
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: number },
): Promise<ClosedResources> {
  const errors: ErrorInfo[] = []
  let killed = 0
  for (const resource of resources) {
    const closing = close(resource)
    if (!(await settlesWithin(closing, graceMs, clock))) {
      errors.push({ code: 'internal', detail: `${nameOf(resource)} was not closed within ${graceMs} ms` })
      continue
    }
    try {
      killed += killedOf(await closing)
    } catch (error) {
      errors.push(toErrorInfo(error))
    }
  }
  return { killed, errors }
}

async function close(resource: Resource): Promise<unknown> {
  if ('close' in resource) return resource.close()
  if (Symbol.asyncDispose in resource) return resource[Symbol.asyncDispose]()
  return resource[Symbol.dispose]()
}

function killedOf(report: unknown): number {
  if (typeof report !== 'object' || report === null) return 0
  if ('killed' in report && typeof report.killed === 'number') return report.killed
  return 'outcome' in report && report.outcome === 'killed' ? 1 : 0
}

function nameOf(resource: Resource): string {
  return resource.name === undefined ? 'a resource' : `'${resource.name}'`
}
