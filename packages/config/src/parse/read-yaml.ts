import { readYamlDocument, type YamlFault } from '@parley/yaml'
import type { ParsedFile } from './parsed-file.ts'
import type { Problem } from './problem.ts'

/** Reads YAML 1.2. Unknown tags and a second document are problems too. */
export function readYaml(text: string): ParsedFile {
  const { value, faults, warnings, lineOf } = readYamlDocument(text)
  const problems = [...faults, ...warnings].map(toProblem)
  return { value: warnings.length > 0 ? undefined : value, problems, lineOf }
}

function toProblem(fault: YamlFault): Problem {
  const { line } = fault
  if (fault.type === 'repeated-key') return { key: [], line, detail: `the key '${fault.key}' is repeated` }
  return { key: [], line, detail: `is invalid YAML: ${withoutQuote(fault.message)}` }
}

/** Removes quotations of the text from a message of the parser, because they may contain a secret. */
function withoutQuote(message: string): string {
  return message.replace(/(?<=Invalid escape sequence) .*|:\s.*|, so .*/s, '')
}
