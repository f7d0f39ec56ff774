import { createRequire } from 'node:module'
import { programs } from '@parley-tooling/runtimes/install-programs'

/** Returns the path of the server program. It is not available on every platform. */
export function findRestateServer(): string | undefined {
  try {
    const beside = createRequire(programs.resolve('@restatedev/restate-server/package.json'))
    return beside.resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`)
  } catch {
    return undefined
  }
}

/** Whether the tests are skipped if the server is missing. */
export const canSkip = process.env['PARLEY_WITHOUT_RESTATE'] === '1'

export const MISSING = `The tests of @parley/restate need a Restate server, and none is installed for ${process.platform}-${process.arch}.
Run \`npx -y pnpm@12 install\` in tooling/runtimes/programs, or set PARLEY_WITHOUT_RESTATE=1 to skip these tests.`
