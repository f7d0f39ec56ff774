import type { DigitGroup } from './digit-groups.ts'
import type { PiiSpan } from './pii-span.ts'
import { isDigit, isWord, textBefore } from './text-edges.ts'

const NAMED =
  /(?:(?<![a-z])ssn(?:_?(?:no|number))?|social[\s_-]+security|tax(?:payer)?[\s_-]+id|社会安全|社會安全|社会保障|사회보장|sécurité\s+sociale|seguridad\s+social|seguro\s+social)(?:[\s_-]*(?:number|no\.?|num|#|is|was|号码?|號碼?|番号|번호))*(?:是|は|：|[\s"'`:=|,()[\]<>{}/*_\\→-])*$/i
const SHAPE = /^(\d{3})([- ./_]?)\n?(\d{2})\2\n?(\d{4})$/

/** Finds US social security numbers: in groups with hyphens, or in any form after words that mark them. */
export function* findSsns(text: string, groups: readonly DigitGroup[]): Generator<PiiSpan> {
  for (const [index, group] of groups.entries()) {
    const { start } = group
    const single = group.end - start === 9
    if (!single && group.end - start !== 3) continue
    const end = single ? group.end : groups[index + 2]?.end
    if (end === undefined || end - start > 12 || isWord(text, end)) continue
    const match = SHAPE.exec(text.slice(start, end))
    if (match === null || !standsAlone(text, start, end)) continue
    const [, area = '', separator, block = '', serial = ''] = match
    if (!isIssued(area, block, serial)) continue
    // Only hyphens make the number unambiguous without a preceding word.
    if ((separator === '-' && !isWord(text, start - 1)) || NAMED.test(textBefore(text, start, 48)))
      yield { kind: 'ssn', start, end }
  }
}

/** Returns whether no digit continues the number. A comma separates the values of a row. */
function standsAlone(text: string, start: number, end: number): boolean {
  if (/[-.]/.test(text.charAt(start - 1)) && isDigit(text, start - 2)) return false
  return !(/[-.]/.test(text.charAt(end)) && isDigit(text, end + 1))
}

function isIssued(area: string, block: string, serial: string): boolean {
  return area !== '000' && area !== '666' && !area.startsWith('9') && block !== '00' && serial !== '0000'
}
