/** Auxiliary verbs: a name that begins with one has no subject. */
const AUXILIARIES = `is are was were be been being has have had having does do did can could may might must will would shall should
cannot can't isn't aren't wasn't doesn't don't didn't hasn't haven't won't wouldn't shouldn't needn't mustn't`

/** Third-person forms that do not name a thing here. */
const THIRD_PERSON = `accepts acts adds adopts agrees aligns allows announces appends applies approves arrives asks asserts assigns
attaches awaits backs becomes begins behaves belongs binds blots bothers bounds breaks brings builds buys cancels captures carries
catches chooses cites cleans closes combines comes compacts compares compiles completes composes computes concludes confirms
connects consumes contains continues converts copies counts covers creates cuts deals decides declares decodes defines delays
delegates deletes delivers denies deploys derives describes detects discards disconnects discovers disposes distinguishes divides does
doubles draws drops embeds emits encodes encrypts ends enforces enqueues ensures enters escapes evaluates exceeds excludes excuses
executes expects expires explains exposes extends extracts fails fetches fills filters finalizes finalises finds finishes fires fits
flushes follows forbids forces forgets formats forwards frees gathers generates gets gives goes grants groups grows guards guesses
handles hands happens hashes hears helps hides holds honours honors identifies ignores implements includes increments infers informs
inherits inserts inspects instructs interprets interrupts introduces invents invokes involves isolates joins judges keeps
kills knows lacks lasts launches lays leads learns leaves lets lies lives loads locates looks loses maintains makes manages maps
masks matches means measures meets mentions merges migrates mirrors misses moves narrows needs negotiates normalizes normalises
notices notifies obeys observes occurs offers omits opens outlasts outlives overrides overwrites parses passes pauses penalises
performs permits persists picks points prefers prepares preserves prevents prints proceeds produces promises propagates protects proves
provides publishes pulls pushes puts quotes raises reaches rebuilds receives recognises recognizes reconnects recovers redirects
refers refreshes refuses registers rejects releases relies reloads remains remembers removes renames renders reopens repairs repeats
replaces reproduces requires rereads reserves resets resolves respects responds restarts restores resumes retains reuses
reverts rewrites rounds rotates sanitizes satisfies saves says searches sees seems selects sends separates serializes serialises serves
sets settles shares shortens shows shrinks shuts sits skips sleeps sorts spares speaks specifies spells spends splits stamps stands
starts stays stops strips submits subscribes succeeds supplies supports surfaces survives suspends swallows
switches takes talks tells tends terminates throttles throws touches transforms translates treats tries truncates trusts
turns understands unwraps updates upgrades uses validates vanishes verifies waits wants warns watches widens works wraps yields`

/** Third-person forms that are sometimes plural nouns: "answers of a model". */
const SELDOM_NOUNS = `answers attempts blocks causes charges claims costs exits exports indexes issues lists marks names notes numbers
orders pages patches places plans posts questions reads records refunds reports returns screens seeds signs states times totals traces
types uses views visits words writes`

/** Plural nouns that are sometimes third-person forms: "calls the tool". */
const SELDOM_VERBS = `branches bundles calls captions caches changes checks commands commits cycles defaults errors events exceptions
files forks hooks imports inputs items journals labels limits links locks logs messages models outputs processes prompts queries queues replays
replies requests results retries roles routes rules runs samples scopes scores snippets spans stages steps stores streams summaries
tests tokens tools tracks values versions waves`

/** Plural and base forms, as under a `describe` that names several things. */
const BASE_FORMS = `accept agree ask be become begin belong bring carry come decide fail find forget get give happen have hear hold
keep know leave let lie lose make outlive put receive refuse reject remain say send seem show stay survive take tell throw`

/** Base forms that are also nouns: "change of address". */
const BASE_OR_NOUN = `answer append call change check count end fetch list mark move name nest need open read record run start stop steer
wait work write`

export const AUXILIARY_VERBS: ReadonlySet<string> = new Set(wordsOf(AUXILIARIES))
export const THIRD_PERSON_VERBS: ReadonlySet<string> = new Set(wordsOf(THIRD_PERSON))
export const BASE_VERBS: ReadonlySet<string> = new Set(wordsOf(BASE_FORMS))
export const VERBS_SELDOM_NOUNS: ReadonlySet<string> = new Set(wordsOf(SELDOM_NOUNS))
export const NOUNS_SELDOM_VERBS: ReadonlySet<string> = new Set(wordsOf(SELDOM_VERBS))
export const BASE_FORMS_OR_NOUNS: ReadonlySet<string> = new Set(wordsOf(BASE_OR_NOUN))

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/)
}
