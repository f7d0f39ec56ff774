// Serves the tools over stdio, until the client disconnects.
import { createMcpServer } from '../index.ts'
import { toolSet } from './tool-set.ts'

await createMcpServer({ name: 'tools', version: '1.2.3', instructions: 'Be quick.', tools: toolSet }).serveStdio()
