import { createRequire } from 'node:module'

/** The server's program, which is an optional dependency: it is large, and not made for every platform. */
export function findRestateServer(): string | undefined {
  const { resolve } = createRequire(import.meta.url)
  try {
    const beside = createRequire(resolve('@restatedev/restate-server/package.json'))
    return beside.resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`)
  } catch {
    return undefined
  }
}

/** Whether whoever starts the tests has said that they may go without the server. */
export const mayGoWithout = process.env['PARLEY_WITHOUT_RESTATE'] === '1'

export const MISSING = `The tests of @parley/restate need a Restate server, and none is installed for ${process.platform}-${process.arch}.
Install the optional dependencies, or set PARLEY_WITHOUT_RESTATE=1 to leave these tests out.`
