import { bundleScripts } from './bundle-scripts.ts'

/** The `[build]` command of wrangler.toml. */
await bundleScripts()
