/** The images that guides show, by their names: where the repository keeps them. */
export const GUIDE_IMAGES: Readonly<Record<string, string>> = {
  'session.svg': 'apps/cli/demo/session.svg',
  'run.png': 'apps/studio/pictures/run.png',
}
