// Scores the JSON Schema validator with the official JSON-Schema-Test-Suite: its required tests, with `remotes` registered.
// Usage: pnpm json-schema-suite FOLDER, where FOLDER has the suite's `tests` and `remotes`. Exits with 1 if a test fails.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileSchema } from '@parley/core/json-schema'

const DIALECTS = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft4: 'http://json-schema.org/draft-04/schema#',
}
// The suite refers to its remotes by this address.
const REMOTES = 'http://localhost:1234/'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: pnpm json-schema-suite FOLDER')
const read = path => JSON.parse(readFileSync(path, 'utf8'))

const remotes = readdirSync(join(folder, 'remotes'), { recursive: true }).filter(name => name.endsWith('.json'))
const documents = Object.fromEntries(
  remotes.map(name => [REMOTES + name.replaceAll('\\', '/'), read(join(folder, 'remotes', name))]),
)

/** Whether the validator decides as the test demands. */
async function passes(schema, { data, valid }) {
  try {
    return (await compileSchema(schema, { documents })(data)).ok === valid
  } catch {
    return false
  }
}

function testsOf(draft) {
  const files = readdirSync(join(folder, 'tests', draft)).filter(name => name.endsWith('.json'))
  const groups = files.flatMap(file => read(join(folder, 'tests', draft, file)).map(group => ({ file, ...group })))
  return groups.flatMap(({ file, schema, description, tests }) =>
    tests.map(test => ({ name: `${file}: ${description}: ${test.description}`, schema, test })),
  )
}

let failed = 0
for (const [draft, dialect] of Object.entries(DIALECTS)) {
  const failures = []
  let count = 0
  for (const { name, schema, test } of testsOf(draft)) {
    count += 1
    const whole = typeof schema === 'object' ? { $schema: dialect, ...schema } : schema
    if (!(await passes(whole, test))) failures.push(name)
  }
  console.log(`${draft}: ${count - failures.length} of ${count}`)
  for (const failure of failures) console.log(`  ${failure}`)
  failed += failures.length
}
process.exitCode = failed === 0 ? 0 : 1
