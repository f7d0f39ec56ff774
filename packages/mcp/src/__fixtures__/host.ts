// A program that opens a server, prints its process ids, and never closes it. argv[2]: how it ends.
import { openMcpServer } from '../index.ts'
import { fixtureServer } from './fixture-server.ts'

const server = await openMcpServer(fixtureServer('spawns-grandchild.mjs', { args: ['stubborn'] }))
const result = await server.callTool('grandchild', {})
process.stdout.write(`${JSON.stringify([server.pid, Number(result.content[0]?.['text'])])}\n`)
if (process.argv[2] === 'exit') process.exit(0)
// Exit code 0 means that the server could end by itself.
const closeAndExit = (): void => void server.close().then(({ exitCode }) => process.exit(exitCode ?? 1))
if (process.argv[2] === 'own-handler') process.on('SIGTERM', closeAndExit)
setInterval(() => {}, 60_000)
