// The main job on real input: an agent reads this repository's README through a real MCP server, computes with a real
// calculator, streams its answer and journals every step. Without OPENAI_API_KEY the model is the offline demo model.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { main } from '../dist/main.js'

const QUESTION = 'How many packages does README.md list, squared?'

const root = path.resolve(import.meta.dirname, '../../..')
process.chdir(root)
const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
const config = { mcpServers: { files: { command: process.execPath, args: [server, root], cwd: root } } }
mkdirSync('.parley', { recursive: true })
writeFileSync('.parley/demo-mcp.json', `${JSON.stringify(config, null, 2)}\n`)

const question = process.argv.slice(2).join(' ').trim() || QUESTION
process.stdout.write(`> ${question}\n\n`)
process.exitCode = await main(['run', question, '--mcp', '.parley/demo-mcp.json', '--db', '.parley/demo.db'])
process.stdout.write(
  `  journal .parley/demo.db · npx -y pnpm@12 parley trace last --db .parley/demo.db` +
    `${process.exitCode === 0 ? '' : ' · npx -y pnpm@12 parley resume last --db .parley/demo.db'}\n`,
)
