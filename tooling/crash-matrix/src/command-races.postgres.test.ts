import { describeCommandRaces } from './__fixtures__/describe-command-races.ts'

// `command-races.deep.test.ts` tries each race more often.
describeCommandRaces(8)
