import { buildGuides } from '../guides/build-guides.ts'
import { bundleScripts } from './bundle-scripts.ts'

/** The `[build]` command of wrangler.toml. */
await bundleScripts()
buildGuides()
