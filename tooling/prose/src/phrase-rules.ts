import type { Passage } from './passage.ts'
import type { Rule } from './violation.ts'

/** Words that a sentence must not use, and what to write instead. */
export interface PhraseRule {
  readonly rule: Rule
  readonly pattern: RegExp
  readonly remedy: string
  /** Kinds of passages that the rule checks. @default every kind */
  readonly kinds?: readonly Passage['kind'][]
}

const DETERMINER = '(?:the|a|an|its|his|her|their|our|your|this|that|these|those|all|one|each|every|both|what|which)'
const TOPIC = `(?:${DETERMINER}|them|whom|two|three|several|many)`
/** Pattern that excludes correct uses of `is no`: `no longer`, comparisons such as `no larger`, and `no-op`. */
const FINE_AFTER_NO =
  '(?!-|\\s+(?:longer|more|less|fewer|better|worse|later|earlier|sooner|older|newer|larger|smaller|bigger|greater|shorter|higher|lower|faster|slower|different|one|other)\\b)'
const LET_GO_OBJECT = `(?:it|them|him|her|all|one|(?:${DETERMINER})\\s+\\w+(?:\\s+\\w+)?)`

export const PHRASE_RULES: readonly PhraseRule[] = [
  {
    rule: 'actor',
    pattern: /\b(?:nobody|somebody|whoever|whomever|anybody|everybody)\b/gi,
    remedy: 'Name the component that acts: driver, host, worker, client, reader, handler, provider, store, user.',
  },
  {
    rule: 'is-no',
    pattern: new RegExp(
      `(?<!\\bthere\\s+(?:\\w+\\s+){0,3})\\b(?:is|are|was|were|be|been|being)\\s+(?:no\\b${FINE_AFTER_NO}(?=\\s+\\w)|none\\b(?!-))`,
      'gi',
    ),
    remedy: 'Say it positively ("must be …"), or write "is not a …", invalid, unknown or missing.',
  },
  {
    rule: 'go-on',
    pattern: new RegExp(`\\b(?:go|goes|going|gone|went)\\s+on\\b(?!-|\\s+(?:${DETERMINER}|top|disk)\\b)`, 'gi'),
    remedy: 'Write resume or continue.',
  },
  {
    rule: 'let-go',
    pattern: new RegExp(`\\blet(?:s|ting)?\\s+(?:${LET_GO_OBJECT}\\s+)?go\\b(?!\\s+on\\b)`, 'gi'),
    remedy: 'Write release, drop or close.',
  },
  {
    rule: 'take-up',
    pattern:
      /\b(?:take|takes|took|taken|taking)\s+(?:(?:it|them|this|that|one|runs?)\s+)?up\b(?!-|\s+(?:to|space|room|memory|bytes|\d))/gi,
    remedy: 'Write resume, start or accept.',
  },
  {
    rule: 'leave-word',
    pattern: /(?<!\b(?:the|a|its)\s)\b(?:leave|leaves|left|leaving)\s+word\b/gi,
    remedy: 'Write enqueue or send a command.',
  },
  {
    rule: 'last-word',
    pattern:
      /\blast\s+words?\b(?!\s+(?:of|in)\s+(?:the|a|an|its|each|every)\s+(?:text|line|sentence|name|phrase|query))/gi,
    remedy: 'Write terminal entry or final event.',
  },
  {
    rule: 'came-of',
    pattern:
      /\b(?:what|how|whatever)\s+(?:(?:has|had|will|would|is)\s+)?(?:came|come|comes|become|becomes|became)\s+of\b/gi,
    remedy: 'Write result or outcome.',
  },
  { rule: 'again', pattern: /\banew\b/gi, remedy: 'Write again.' },
  {
    rule: 'concurrently',
    pattern: /\bmeanwhile\b/gi,
    remedy: 'Write concurrently, or say which two things happen at the same time.',
  },
  { rule: 'instead-of', pattern: /\bin\s+the\s+place\s+of\b/gi, remedy: 'Write instead of.' },
  {
    rule: 'fragment',
    pattern: new RegExp(`(?:^\\s*of|(?<!\\w\\s)\\bOf)\\s+${TOPIC}\\b`, 'g'),
    kinds: ['comment', 'document'],
    remedy: 'Begin with the subject and end with a full sentence.',
  },
  {
    rule: 'vocabulary',
    pattern: /\boutermost\b(?!\s+(?:first|last|file|function|bracket|element|span|scope)\b)|\bouter\s+runs?\b/gi,
    remedy: 'Write root run or parent run.',
  },
  {
    rule: 'vocabulary',
    pattern: /\b(?:delegate|sub-?agent)(?:['’]s|s['’])\s+runs?\b/gi,
    remedy: 'Write child run.',
  },
  {
    rule: 'vocabulary',
    pattern: /\bwait(?:s|ed|ing)?\s+for\s+(?:a\s+person|people)\b|\bcome\s+to\s+wait\b/gi,
    remedy: 'Write "is suspended for approval" or "the tool call is pending".',
  },
  {
    rule: 'vocabulary',
    pattern:
      /\b(?:passed|thrown)\s+(?:over|away)\b(?<!passed\s+away)(?<!thrown\s+over)(?!\s+(?:the|a|an|to|stdio|http)\b)/gi,
    remedy: 'Write skipped, discarded or dropped.',
  },
  {
    rule: 'vocabulary',
    pattern: /(?<!in-)\bmemory\s+stores?\b/gi,
    remedy: 'Write notes (`NoteStore`) or in-memory store, whichever is meant.',
  },
]
