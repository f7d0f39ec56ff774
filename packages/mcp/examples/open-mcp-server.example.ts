// #region server
import { fileURLToPath } from 'node:url'
import { defineAgent } from '@parley/engine'
import { openMcpServer } from '@parley/mcp'
import { scriptedModel } from '@parley/testing'

await using files = await openMcpServer({
  transport: 'stdio',
  name: 'files',
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')), process.cwd()],
  tools: { allow: ['read_text_file', 'write_file'], rename: { read_text_file: 'read' } },
})
for (const tool of await files.tools()) console.log(tool.name, tool.effect)
// → read read
// → mcp__files__write_file idempotent

// The server itself is an entry of `tools`: the agent gets all its tools.
const reader = defineAgent({ name: 'reader', model: scriptedModel(['Done.']), tools: [files] })
console.log(reader.tools?.length) // → 1

const result = await files.callTool('list_allowed_directories', {})
console.log(result.content.length, files.status.state) // → 1 ready

const { outcome } = await files.close()
console.log(outcome) // → exited
// #endregion
