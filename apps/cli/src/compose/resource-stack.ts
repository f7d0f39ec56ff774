/** Closes resources in reverse order, unless they are released. Node.js 22 lacks `AsyncDisposableStack`. */
export interface ResourceStack extends AsyncDisposable {
  /** Adds a resource and returns it. */
  use<TResource extends AsyncDisposable>(resource: TResource): TResource
  /** Empties the stack and returns a function that closes the resources. */
  release(): () => Promise<void>
}

export function createResourceStack(): ResourceStack {
  let opened: AsyncDisposable[] = []
  const closeAll = async (resources: readonly AsyncDisposable[]): Promise<void> => {
    for (const resource of resources.toReversed()) await resource[Symbol.asyncDispose]()
  }
  return {
    use(resource) {
      opened.push(resource)
      return resource
    },
    release() {
      const released = opened
      opened = []
      return () => closeAll(released)
    },
    [Symbol.asyncDispose]: () => closeAll(opened),
  }
}
