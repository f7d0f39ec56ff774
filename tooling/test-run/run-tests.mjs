// Runs a suite of tests, or shows its last result if no file has changed since then.
import { runSuite } from './src/run-suite.ts'

process.exitCode = await runSuite(process.argv.slice(2))
process.exit()
