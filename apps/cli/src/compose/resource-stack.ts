/** Closes what was opened, last first, unless it is released to the one who asked for it. */
export interface Opening extends AsyncDisposable {
  use<TResource extends AsyncDisposable>(resource: TResource): TResource
  release(): () => Promise<void>
}

export function createOpening(): Opening {
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
