import { readYamlDocument } from '@parley/yaml'
import { createFileScope, isFields, type Fields, type FileScope, type KeyPath } from './file-scope.ts'
import { yamlExcess } from './yaml-excess.ts'

export interface Frontmatter {
  readonly fields: Fields
  readonly scope: FileScope
}

export interface FrontmatterOptions {
  /** The YAML text. @default none: the file has no frontmatter */
  readonly text: string | undefined
  /** The line of the file on which the text starts. */
  readonly firstLine: number
  readonly path: string
  readonly warnings: string[]
}

/**
 * Reads the YAML between the fences. Tags construct no objects, and the expansion of aliases is limited.
 * @throws ParleyError `config-invalid` with file and line if the text is not a YAML mapping.
 */
export function parseFrontmatter({ text = '', firstLine, path, warnings }: FrontmatterOptions): Frontmatter {
  const refuse = (line: number, detail: string): never =>
    createFileScope({ path, lineOf: () => line, warnings }).fail([], `invalid frontmatter: ${detail}`)
  const excess = yamlExcess(text)
  if (excess !== undefined) refuse(firstLine, excess)
  const { value = null, faults, lineOf } = readYamlDocument(text)
  const [fault] = faults
  if (fault !== undefined) {
    const detail = fault.type === 'syntax' ? fault.message : `the key '${fault.key}' is repeated.`
    refuse(firstLine - 1 + (fault.line ?? 1), detail)
  }
  if (value !== null && !isFields(value)) return refuse(firstLine, 'must be a mapping of keys.')
  const lineInFile = (key: KeyPath): number | undefined => {
    const line = lineOf(key)
    return line === undefined ? undefined : firstLine - 1 + line
  }
  return { fields: value ?? {}, scope: createFileScope({ path, lineOf: lineInFile, warnings }) }
}
