// Faults of core and of templates.
const core = 'packages/core/src'
const inheritedTest = `${core}/json-schema/inherited-members.test.ts`
const promptyTest = 'packages/prompty/src/template/inherited-members.test.ts'
const keptTest = `${core}/context/drop-oldest.test.ts`

export const CORE = [
  {
    name: 'overdue-work-awaited-if-stopped-before',
    file: `${core}/async/until-overdue.ts`,
    from: '    if (signal.aborted) wait()\n    else ',
    to: '    ',
    tests: [`${core}/async/until-overdue.test.ts`],
  },
  {
    name: 'semaphore-released-twice',
    file: `${core}/async/semaphore.ts`,
    from: '      if (!held) return\n',
    to: '',
    tests: [`${core}/async/semaphore.test.ts`],
  },
  {
    name: 'stop-listener-kept-after-a-wait',
    file: `${core}/async/semaphore.ts`,
    from: '        stopper.offStop(onStop)\n',
    to: '',
    tests: [`${core}/async/semaphore.test.ts`],
  },
  {
    name: 'kept-messages-off-by-one',
    file: `${core}/context/drop-oldest.ts`,
    from: '(heading === undefined ? 0 : 1) > maxMessages',
    to: '(heading === undefined ? 0 : 1) >= maxMessages',
    tests: [keptTest],
  },
  {
    name: 'kept-groups-off-by-one',
    file: `${core}/context/drop-oldest.ts`,
    from: '(messages > maxMessages || tokens > maxTokens)',
    to: '(messages >= maxMessages || tokens > maxTokens)',
    tests: [keptTest],
  },
  {
    name: 'minimum-of-messages-off-by-one',
    file: `${core}/context/drop-oldest.ts`,
    from: 'messages < minMessages',
    to: 'messages <= minMessages',
    tests: [keptTest],
  },
  {
    name: 'inherited-member-satisfies-required',
    file: `${core}/json-schema/keywords/object-checks.ts`,
    from: 'if (!Object.hasOwn(value, key)) ok = fail',
    to: 'if (!(key in value)) ok = fail',
    tests: [inheritedTest],
  },
  {
    name: 'inherited-member-is-checked',
    file: `${core}/json-schema/keywords/object-checks.ts`,
    from: '      if (!Object.hasOwn(value, key)) continue\n',
    to: '      if (!(key in value)) continue\n',
    tests: [inheritedTest],
  },
  {
    name: 'inherited-member-requires-others',
    file: `${core}/json-schema/keywords/composition-checks.ts`,
    from: '!Object.hasOwn(value, key) ||',
    to: '!(key in value) ||',
    tests: [inheritedTest],
  },
  {
    name: 'inherited-member-rendered',
    file: 'packages/engine/src/agent/instructions/render-pieces.ts',
    from: 'Object.hasOwn(variables, piece.name)',
    to: 'piece.name in variables',
    tests: ['packages/engine/src/agent/instructions/render-pieces.test.ts'],
  },
  {
    name: 'inherited-member-in-a-mustache-section',
    file: 'packages/prompty/src/template/render-mustache.ts',
    from: '!Object.hasOwn(value, first)',
    to: '!(first in value)',
    tests: [promptyTest],
  },
  {
    name: 'inherited-member-in-a-jinja-test',
    file: 'packages/prompty/src/template/evaluate-jinja.ts',
    from: '&& Object.hasOwn(holder, item)',
    to: '&& item in holder',
    tests: [promptyTest],
  },
]
