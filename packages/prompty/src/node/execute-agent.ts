import type { PromptySource } from '../create-prompty.ts'
import { executeAgent as executePortably, type ExecuteAgentOptions } from '../execute-agent.ts'
import { createNodeFiles } from './create-node-files.ts'

/** `executeAgent` for Node.js: reads the file system and `process.env` by default. */
export async function executeAgent(
  source: PromptySource,
  { files = createNodeFiles(), environment = process.env, ...options }: ExecuteAgentOptions = {},
): Promise<unknown> {
  return await executePortably(source, { ...options, files, environment })
}
