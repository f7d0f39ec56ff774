// Serves the tools and a clock over stdio, until the client disconnects.
import { createMcpServer, type McpServedResource } from '../index.ts'
import { toolSet } from './tool-set.ts'

const clock: McpServedResource = {
  uri: 'clock://now',
  name: 'Clock',
  read: () => String(Date.now()),
  onChange(listener) {
    const timer = setInterval(() => listener('clock://now'), 50).unref()
    return () => clearInterval(timer)
  },
}

const identity = { name: 'tools', version: '1.2.3', instructions: 'Be quick.' }
await createMcpServer({ ...identity, tools: toolSet, resources: [clock] }).serveStdio()
