import { describeError, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import type { ToolFlags } from '../compose/open-tools.ts'
import { withToolFlags } from '../flags/agent-flags.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'

/** Defines the command `parley config check`. */
export function defineConfigCommand(command: Command, terminal: Terminal): void {
  command.description('Checks configuration files without calling a model.')
  const check = command
    .command('check')
    .summary('print the problems or the agents of a file')
    .description(
      'Reads a configuration file as run, chat and serve do, but starts no MCP servers of the file. Prints every problem, or the agents of a valid file.',
    )
    .argument('<file>', 'YAML, JSON or TOML file')
  withToolFlags(check).action(async (file: string, flags: ToolFlags) => {
    process.exitCode = await checkFile(file, flags, terminal)
  })
  for (const each of [command, check])
    withExamples(each, [['config check parley.yaml', 'prints the problems or the agents of a file']])
}

async function checkFile(file: string, flags: ToolFlags, terminal: Terminal): Promise<number> {
  const { composeConfigFile } = await import('../compose/compose-config-file.ts')
  try {
    const { agents } = await composeConfigFile(file, flags)
    terminal.out(`${terminal.style('green', '✓')} ${file}\n`)
    for (const { name, model, tools: own = [] } of agents) {
      const modelName = typeof model === 'object' ? `${model.provider}/${model.id}` : (model ?? '')
      const toolNames = own.map(tool => (typeof tool === 'string' ? tool : tool.name)).join(', ') || 'no tools'
      terminal.out(`  ${name}: ${modelName}, ${toolNames}\n`)
    }
    return 0
  } catch (error) {
    if (!ParleyError.is(error)) throw error
    // Other commands join an error to one line. Here, each problem keeps its own line.
    terminal.error(`parley: ${describeError(error.info)}\n`)
    return 2
  }
}
