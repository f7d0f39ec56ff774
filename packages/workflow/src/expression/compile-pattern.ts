import { RE2JS } from 're2js'
import { refuse } from '../template/site.ts'

/**
 * Compiles a pattern in RE2's syntax, which has neither lookaround nor back references: no text can keep it busy.
 * @throws ParleyError `config-invalid`.
 */
export function compilePattern(pattern: string, path: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern)
    return text => compiled.test(text)
  } catch (error) {
    return refuse(path, `is no RE2 pattern: ${error instanceof Error ? error.message : String(error)}`)
  }
}
