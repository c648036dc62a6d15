import { buildGuides } from '../guides/build-guides.ts'
import { packClient } from '../client/pack-client.ts'
import { bundleScripts } from './bundle-scripts.ts'

/** The `[build]` command of wrangler.toml. */
await bundleScripts()
await packClient()
buildGuides()
