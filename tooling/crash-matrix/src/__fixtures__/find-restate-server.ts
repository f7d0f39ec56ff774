import { createRequire } from 'node:module'

/** Returns the path of the server program, an optional dependency that is large and not available on every platform. */
export function findRestateServer(): string | undefined {
  const { resolve } = createRequire(import.meta.url)
  try {
    const beside = createRequire(resolve('@restatedev/restate-server/package.json'))
    return beside.resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`)
  } catch {
    return undefined
  }
}

/** Whether the tests are skipped if the server is missing. */
export const canSkip = process.env['PARLEY_WITHOUT_RESTATE'] === '1'

export const MISSING = `The tests of @parley/restate need a Restate server, and none is installed for ${process.platform}-${process.arch}.
Install the optional dependencies, or set PARLEY_WITHOUT_RESTATE=1 to skip these tests.`
