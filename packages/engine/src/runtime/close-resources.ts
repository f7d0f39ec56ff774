import { toErrorInfo, settlesWithin, type Clock, type ErrorInfo } from '@parley/core'

/**
 * Something to be closed with a runtime. A `close` is preferred to a dispose, because it may say how the end was:
 * `{ outcome: 'killed' }`, as a server of `@parley/mcp` does, or how many had to be killed, `{ killed: 2 }`, as several do.
 */
export type Resource = ({ close(): Promise<unknown> } | AsyncDisposable | Disposable) & {
  /** Shown when it does not close. */
  readonly name?: string | undefined
}

export interface ClosedResources {
  readonly killed: number
  readonly errors: readonly ErrorInfo[]
}

/** Closes them one after the other. One that fails or takes too long is reported, and the others are closed all the same. */
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
