import { createFileVault } from '../create-file-vault.ts'

/** Masks a hundred values in an order that depends on `step`, and prints the placeholder of each. */
const [, , directory = '', step = '1'] = process.argv
const vault = createFileVault({ directory })
const tokens: Record<string, string> = {}
for (let index = 0; index < 101; index++) {
  const value = `person-${(index * Number(step)) % 101}@example.org`
  tokens[value] = vault.token('shared', 'email', value)
}
process.stdout.write(JSON.stringify(tokens))
