import type { McpStdioDefinition } from '../config/mcp-server-definition.ts'
import { oneLine, redactSecrets } from './describe-stderr.ts'
import { serverEnvironment } from './server-environment.ts'
import type { ServerLink } from './server-link.ts'
import { openServerProcess, type ProcessEnd } from './server-process.ts'
import { createStdioTransport } from './stdio-transport.ts'

const STDERR_CHARACTERS = 600

/** Starts the server's process. Resolves to a sentence if it cannot be started. */
export async function openStdioLink(
  { command, args = [], env = {}, cwd }: McpStdioDefinition,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServerLink | string> {
  const opened = await openServerProcess({ command, args, env: serverEnvironment(env, environment), cwd })
  if (typeof opened === 'string') return opened
  const { pid, ended, stderr, stop } = opened
  const transport = createStdioTransport(opened)
  let end: ProcessEnd | undefined
  void ended.then(value => (end = value))

  return {
    transport,
    pid,
    stderr,
    ended,
    describe() {
      const what = transport.fault ?? (end === undefined ? `'${command}' is running` : describeEnd(command, end))
      const said = redactSecrets(oneLine(stderr(), STDERR_CHARACTERS), env)
      return said === '' ? `${what}. It wrote nothing to stderr.` : `${what}. Its stderr ends: ${said}`
    },
    redact: text => redactSecrets(text, env),
    stop,
  }
}

function describeEnd(command: string, { exitCode, signal }: ProcessEnd): string {
  return signal === null ? `'${command}' exited with code ${exitCode}` : `'${command}' was ended by ${signal}`
}
