// Runs an agent on real input. The agent reads this repository's README through an MCP server, computes with the calculator,
// streams its answer and writes every step to a journal. Without OPENAI_API_KEY it uses the offline demo model.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { main } from '../src/main.ts'

const QUESTION = 'How many packages does README.md list, squared?'

const root = path.resolve(import.meta.dirname, '../../..')
process.chdir(root)
const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
const config = { mcpServers: { files: { command: process.execPath, args: [server, root], cwd: root } } }
mkdirSync('.parley', { recursive: true })
writeFileSync('.parley/demo-mcp.json', `${JSON.stringify(config, null, 2)}\n`)

const question = process.argv.slice(2).join(' ').trim() || QUESTION
const database = '.parley/demo.db'
const command = 'npx -y pnpm@12 parley'
process.stdout.write(`> ${question}\n`)
process.stdout.write(`  journal: ${database} · if interrupted: ${command} resume --db ${database}\n\n`)
process.exitCode = await main(['run', question, '--mcp', '.parley/demo-mcp.json', '--db', database], { command })
