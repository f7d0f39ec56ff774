import { ParleyError } from '@parley/core'
import { Argument, type Command } from 'commander'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Defines the command `parley completion SHELL`. */
export function defineCompletionCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Prints a script for a shell. It completes commands, options and their values, ids of runs and names of agents.',
    )
    .addArgument(new Argument('<shell>', 'shell that reads the script').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => {
      const name = programName(command)
      if (!/^[\w.-]+$/.test(name)) {
        const detail = `'${name}' is not one word; install the command globally first`
        throw new ParleyError({ code: 'config-invalid', path: 'completion', detail })
      }
      terminal.out(scriptFor(shell, name))
    })
  withExamples(command, [
    ['completion bash >> ~/.bashrc', 'bash, in new terminals'],
    ['completion zsh >> ~/.zshrc', 'zsh, after compinit'],
    ['completion fish > ~/.config/fish/completions/parley.fish', 'fish'],
  ])
}

/** Each script asks `parley complete`, so that it stays valid after an update. */
function scriptFor(shell: (typeof SHELLS)[number], name: string): string {
  const id = `_${name.replaceAll(/\W/g, '_')}_complete`
  switch (shell) {
    case 'bash':
      return `${id}() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}" lines
  lines=$(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$word" 2>/dev/null | cut -f1)
  COMPREPLY=($(compgen -W "$lines" -- "$word"))
}
complete -o default -F ${id} ${name}
`
    case 'zsh':
      return `${id}() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(${name} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe '${name}' found; else _files; fi
}
compdef ${id} ${name}
`
    case 'fish':
      return `complete -c ${name} -a '(${name} complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`
  }
}
