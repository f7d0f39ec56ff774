// Deep: it tries each race 24 times.
import { describeCommandRaces } from './__fixtures__/describe-command-races.ts'

// PARLEY_RACES=1000 tries each race as often as the figures of the release were measured.
describeCommandRaces(Number(process.env['PARLEY_RACES'] ?? 24))
