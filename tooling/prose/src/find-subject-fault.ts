import {
  AUXILIARY_VERBS,
  BASE_FORMS_OR_NOUNS,
  BASE_VERBS,
  NOUNS_SELDOM_VERBS,
  THIRD_PERSON_VERBS,
  VERBS_SELDOM_NOUNS,
} from './verb-forms.ts'

/** Adverbs that may stand before the verb: `never asks twice` has no subject either. */
const ADVERBS: ReadonlySet<string> = new Set(
  'never always also still only not no-longer even just already neither either both then rather simply'.split(' '),
)
/** Words that begin a clause or a phrase before the subject. */
const CONJUNCTIONS: ReadonlySet<string> = new Set(
  'when whenever if while once unless until where because although since as'.split(' '),
)
const PREPOSITIONS: ReadonlySet<string> = new Set(
  `after before with without by in inside at on under during for from to of about above below between through within beyond beside
  across`.split(/\s+/),
)
/** Words after which a word that is a noun or a verb is taken for a noun: "both stores". */
const QUANTIFIERS: ReadonlySet<string> = new Set(['both', 'either', 'neither'])
/** Words that only continue a sentence which began elsewhere, usually in the name of the `describe`. */
const CONTINUATIONS: ReadonlySet<string> = new Set('that which whose who whom and but or nor than'.split(' '))
const DETERMINERS: ReadonlySet<string> = new Set(
  `a an the its their his her our your it them him this these those every each all any both no none nothing everything anything
  something what whatever how whether one two three many several more most only once twice again either neither`.split(
    /\s+/,
  ),
)
/** Words which show that the word before them, usually a verb, is a noun. */
const AFTER_NOUN: ReadonlySet<string> = new Set(
  `of that which who whose never always still run wait begin end start stay keep share get take hold come go become belong carry
  count leave give show use need see lose make move reach return stop survive travel`.split(/\s+/),
)
/** Pattern of masked code and of numbers. */
const VALUE = /^(x{2,}|X+|\d.*)$/
/** Third-person forms that are often nouns, so that the word before them can be a verb: "gives turns". */
const ALSO_NOUNS: ReadonlySet<string> = new Set(
  `bounds copies covers fills finishes fits groups guards handles hands maps masks matches measures moves needs objects points prints
  promises quotes shares sorts stamps stands starts stops surfaces switches touches tries turns waits warnings watches`.split(
    /\s+/,
  ),
)
/** Words which show that the word before them, a noun or a verb, is a verb: "runs out". */
const PARTICLES: ReadonlySet<string> = new Set(['out', 'back', 'off', 'away', 'down'])
const LABEL = /^\d+[a-z]?:\s+/
const PLURAL_OR_VERB = /^[a-z]{3,}(?<![sui])s$/

/**
 * Returns what is missing at the beginning of a test name, or `undefined` for a name that begins with its subject. Code
 * in the name must be masked.
 */
export function findSubjectFault(name: string): 'subject' | 'clause' | 'continuation' | undefined {
  const sentence = name.replace(LABEL, '').replace(/^no longer\b/i, 'no-longer')
  const words = wordsOf(sentence)
  const [first = ''] = words
  if (CONTINUATIONS.has(first)) return 'continuation'
  if (CONJUNCTIONS.has(first) || PREPOSITIONS.has(first)) {
    const named =
      beginsWithSubject(wordsOf(afterComma(sentence))) || (PREPOSITIONS.has(first) && hasLaterSubject(words))
    return named ? undefined : 'clause'
  }
  return beginsWithSubject(words) ? undefined : 'subject'
}

/** Whether an article and a verb follow the phrase of a preposition: "after a crash the worker resumes the run". */
function hasLaterSubject(words: readonly string[]): boolean {
  const article = words.findIndex((word, index) => index > 1 && DETERMINERS.has(word))
  return article !== -1 && !words.slice(1, article).some(isVerb) && words.slice(article + 1).some(isVerb)
}

function isVerb(word: string): boolean {
  return [AUXILIARY_VERBS, THIRD_PERSON_VERBS, VERBS_SELDOM_NOUNS, NOUNS_SELDOM_VERBS].some(verbs => verbs.has(word))
}

/** Returns the text after the first comma, or an empty text for a name without a comma. */
function afterComma(sentence: string): string {
  return /,\s+(.*)$/s.exec(sentence)?.[1] ?? ''
}

function beginsWithSubject(words: readonly string[]): boolean {
  const start = words.findIndex(word => !ADVERBS.has(word))
  const [first = '', next = '', third = ''] = start === -1 ? [] : words.slice(start)
  if (first === '' || AUXILIARY_VERBS.has(first)) return false
  // The first of two verbs is the name of a function: "decide ends the run", "matches takes linear time".
  if (AUXILIARY_VERBS.has(next) || (THIRD_PERSON_VERBS.has(next) && !ALSO_NOUNS.has(next))) return true
  if (BASE_VERBS.has(first)) return next === 'and' || (/[^s]s$/.test(next) && isObject(third))
  // The verb of "percent-encodes" is its last part.
  if (THIRD_PERSON_VERBS.has(first.slice(first.lastIndexOf('-') + 1))) return false
  if (start > 0 && QUANTIFIERS.has(words[0] ?? '')) return true
  if (VERBS_SELDOM_NOUNS.has(first)) return AFTER_NOUN.has(next) || (/..ed$/.test(next) && next !== 'undefined')
  // A plural noun or a base form is not followed by an article or by a value: "calls the tool", "change how it answers".
  const mayBeVerb = NOUNS_SELDOM_VERBS.has(first) || BASE_FORMS_OR_NOUNS.has(first) || PLURAL_OR_VERB.test(first)
  return !(mayBeVerb && (isObject(next) || PARTICLES.has(next)))
}

/** Whether a word begins the object of a verb. */
function isObject(word: string): boolean {
  return DETERMINERS.has(word) || VALUE.test(word)
}

/** Returns words and commas, in lower case except for identifiers such as `createStore` and `GET`. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/,(?=\s)/g, ' ,')
    .split(/\s+/)
    .map(word => word.replace(/^[("'“]+|[.:;!?)"'”]+$/g, ''))
    .map(word => (/^.[a-z']*$/.test(word) ? word.toLowerCase() : word))
    .filter(word => word !== '')
}
