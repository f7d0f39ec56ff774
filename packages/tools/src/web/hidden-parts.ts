/** Elements whose text a browser does not show to readers. */
const SKIPPED = new Set(
  (
    'script style noscript template svg math iframe object canvas audio video select datalist dialog ' +
    'textarea title'
  ).split(' '),
)
const VOID = new Set('br hr img input link meta base area col embed source track wbr param'.split(' '))
/** Elements that the next element of the same kind ends, so their closing tag is often missing. */
const ENDED_BY_NEXT = new Set(['p', 'li', 'td', 'th', 'tr', 'dt', 'dd', 'option'])
const CONTAINERS = new Set(['ul', 'ol', 'dl', 'table'])

/** Tracks the parts of a page that readers do not see. */
export interface HiddenParts {
  /** Takes an opening tag. Returns whether the element, or one around it, is hidden. */
  open(name: string, attributes: ReadonlyMap<string, string>): boolean
  /** Takes a closing tag. Returns whether it ends a hidden element or lies inside one. */
  close(name: string): boolean
  /** Whether the current position is inside a hidden element. */
  readonly inside: boolean
}

export function createHiddenParts(): HiddenParts {
  let hidden: { readonly name: string; depth: number; containers: number } | undefined

  return {
    get inside() {
      return hidden !== undefined
    },
    open(name, attributes) {
      if (hidden !== undefined) {
        const next = hidden.name === name && hidden.containers === 0 && ENDED_BY_NEXT.has(name)
        if (!next) {
          if (CONTAINERS.has(name)) hidden.containers++
          if (name === hidden.name) hidden.depth++
          return true
        }
        hidden = undefined
      }
      if (!SKIPPED.has(name) && !isHidden(attributes)) return false
      if (!VOID.has(name)) hidden = { name, depth: 1, containers: 0 }
      return true
    },
    close(name) {
      if (hidden === undefined) return false
      if (CONTAINERS.has(name)) hidden.containers--
      if (name === hidden.name) hidden.depth--
      if (hidden.depth === 0) hidden = undefined
      return true
    },
  }
}

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.size === 0) return false
  if (attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return true
  return /(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)/i.test(attributes.get('style') ?? '')
}
