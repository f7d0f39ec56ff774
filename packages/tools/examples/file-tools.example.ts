import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const directory = await mkdtemp(join(tmpdir(), 'parley-'))
// #region tools
import { createFileTools } from '@parley/tools/files'
import { calculator, evaluateExpression } from '@parley/tools/math'
import { createShellTool } from '@parley/tools/shell'
import { createTextTools } from '@parley/tools/text'
import { createTimeTools } from '@parley/tools/time'
import { createWebTools } from '@parley/tools/web'
import { createWorkspace } from '@parley/tools/workspace'

const workspace = createWorkspace({ roots: [directory] })
const files = createFileTools({ workspace, write: true })
const shell = createShellTool({ workspace, policy: 'coder' }) // asks for approval before each command
const tools = [calculator, ...createTimeTools(), ...createTextTools(), ...createWebTools(), ...files, shell]
console.log(files.map(tool => tool.name).join(', ')) // → read, ls, find, grep, write, edit
console.log(tools.length) // → 20

console.log(evaluateExpression('2^64 - 1')) // → 18446744073709551615n
const refused = await workspace.resolve('../elsewhere.txt').catch((error: Error) => error.message)
console.log(refused) // → Cannot use the path '../elsewhere.txt': it is outside the workspace. Paths are relative to the workspace root; list it with the path '.'.
// #endregion
