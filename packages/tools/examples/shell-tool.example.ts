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
console.log(policy.check(['sort', '--output=notes.txt', 'notes.txt']).ok) // → false
console.log(policy.check(['oxlint', '--fix']).ok) // → true
// #endregion
