import { availableParallelism } from 'node:os'
import path from 'node:path'
import { cloudflareTest, readD1Migrations, type D1Migration } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { bundleScripts } from './scripts/browser/bundle-scripts.ts'
import { bundleClient } from './scripts/client/build-client.ts'
import { buildGuides } from './scripts/guides/build-guides.ts'
import LongestFirst from './scripts/test/longest-first.ts'
import { campaignTag } from './scripts/test/suites.ts'

const workerd = cloudflareTest(async () => {
  await bundleScripts()
  await bundleClient()
  buildGuides()
  return workerdOptions(await readD1Migrations(path.join(import.meta.dirname, 'migrations')))
})

const workerdOptions = (migrations: D1Migration[]) => ({
  remoteBindings: false,
  wrangler: { configPath: './wrangler.toml' },
  miniflare: {
    // The host of the service has this one; how full the disk is, each test says itself.
    serviceBindings: { DISK: () => Response.json({ freeBytes: 1e12, totalBytes: 2e12 }) },
    bindings: {
      TEST_MIGRATIONS: migrations,
      ENVIRONMENT: 'local',
      BASE_URL: 'http://127.0.0.1:8787',
      STORAGE_URL: 'https://files.spool.test',
      S3_ENDPOINT: 'http://127.0.0.1:8787/cdn-cgi/local/r2/s3/spool-media',
      S3_ACCESS_KEY_ID: 'local',
      S3_SECRET_ACCESS_KEY: 'localsecret',
      SPOOL_SECRET: 'a secret of at least 32 characters',
      SPOOL_ADMIN_SECRET: 'an admin secret of at least 32 characters',
      MEDIA_WORKER_URLS: 'http://media-1.spool.test,http://media-2.spool.test',
      MEDIA_WORKER_TOKEN: 'a media worker token',
      ALLOW_PRIVATE_HOSTS: '',
      MAX_UPLOAD_BYTES: '33554432',
      SIGN_UP: 'open',
    },
  },
})

/** Far longer than any of them takes, for machines that others keep busy. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000 }

/**
 * Pure functions, and the media worker with real ffmpeg. Loading modules and models takes longer than most of these files
 * run, so files share the modules of their process: no file may leave changed globals behind.
 */
const node = {
  ...patience,
  setupFiles: ['./test/support/node/give-way.ts'],
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
}

/**
 * The Worker inside real workerd, with real D1, R2, Queues and Durable Objects. A runtime takes longer to start than most
 * files run, so files follow each other in one: the setup gives each empty storage and an empty isolate.
 */
const worker = {
  ...patience,
  isolate: false,
  restoreMocks: true,
  setupFiles: ['./test/support/worker/setup.ts'],
}

/** The whole service as `npm start` runs it, driven over HTTP. */
const journey = {
  ...patience,
  maxConcurrency: 4,
  globalSetup: ['./test/support/node/shared-service.ts'],
}

export default defineConfig({
  test: {
    // What a passing test logs is noise.
    silent: 'passed-only',
    // Two more than the cores: tests wait for programs and for time, and others work meanwhile.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './scripts/test/closing-line.ts'],
    tags: [
      {
        name: campaignTag,
        description:
          'Looks everywhere, which takes minutes: run by npm run campaigns and npm run check.',
      },
    ],
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/{contract,containers,scripts,fuzz,client,bench,simulation}/**/*.test.ts'],
          ...node,
        },
      },
      {
        plugins: [workerd],
        // The client as it is published, inside the runtime of Workers.
        resolve: {
          alias: { 'spool-video': path.join(import.meta.dirname, 'client/dist/index.js') },
        },
        test: {
          name: 'workerd',
          include: ['test/worker/**/*.test.ts'],
          ...worker,
        },
      },
      {
        test: {
          name: 'engine',
          include: ['test/containers-engine/**/*.test.ts'],
          ...patience,
          globalSetup: ['./test/support/node/engine/end-engine.ts'],
        },
      },
      { test: { name: 'journeys', include: ['test/journeys/**/*.test.ts'], ...journey } },
    ],
  },
})
