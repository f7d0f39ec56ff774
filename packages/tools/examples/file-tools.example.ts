// #region tools
import { createFileTools } from '@parley/tools/files'
import { calculator, evaluateExpression } from '@parley/tools/math'
import { createTimeTools } from '@parley/tools/time'
import { createWorkspace } from '@parley/tools/workspace'

const workspace = createWorkspace({ roots: ['.'] })
const tools = [calculator, ...createTimeTools(), ...createFileTools({ workspace })]
console.log(tools.map(tool => tool.name).join(', ')) // → calculator, current_time, date_math, read, ls, grep

console.log(evaluateExpression('2^64 - 1')) // → 18446744073709551615n
const refused = await workspace.resolve('../elsewhere.txt').catch((error: Error) => error.message)
console.log(refused) // → Cannot use the path '../elsewhere.txt': it is outside the workspace. Paths are relative to the workspace root; list it with the path '.'.
// #endregion
