export { studioAssets, type StudioAsset, type StudioAssets } from './studio-assets.ts'
