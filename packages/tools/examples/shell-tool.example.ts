// #region policy
import { noNetworkPolicy, type ShellPolicy } from '@parley/tools/shell'

// A policy is data and one function. This one allows what the built-in policy allows, and one linter.
const policy: ShellPolicy = {
  ...noNetworkPolicy,
  name: 'review',
  description: 'Programs that read, and oxlint.',
  check: argv => {
    if (argv[0] !== 'oxlint') return noNetworkPolicy.check(argv)
    return { ok: true, argv: ['oxlint', 'src'], paths: ['src'], systemPaths: [], protectsRoots: false }
  },
}
const verdict = policy.check(['sort', '--output=notes.txt', 'notes.txt'])
console.log(verdict.ok ? verdict.argv : verdict.reason) // → sort may not be used here with '--output=notes.txt', which could do more than read.
console.log(policy.check(['oxlint', '--fix']).ok) // → true
// #endregion
