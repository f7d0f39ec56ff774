/** The pages of the studio, as the navigation shows them. */
export const PLACES = [
  {
    heading: 'Observe',
    places: [
      { to: '/', name: 'Runs' },
      { to: '/approvals', name: 'Approvals' },
      { to: '/spend', name: 'Spend' },
    ],
  },
  {
    heading: 'Try',
    places: [
      { to: '/play', name: 'Play' },
      { to: '/workflows', name: 'Workflows' },
    ],
  },
  {
    heading: 'Operate',
    places: [
      { to: '/workers', name: 'Workers' },
      { to: '/unknown-calls', name: 'Unknown calls' },
      { to: '/dead-letters', name: 'Dead letters' },
      { to: '/health', name: 'Health' },
    ],
  },
] as const
