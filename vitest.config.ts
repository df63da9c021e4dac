import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Tests with real processes mostly wait, so that two workers pay on two cores too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    setupFiles: ['src/api/testing/register-kinds.ts', 'test/property-seed.ts'],
    // Only bounds how long a failure takes: tests start processes and browsers on machines that are busy with other tests.
    testTimeout: 120_000,
    // Hooks start clusters and remove folders with many files, on machines that are busy with other tests.
    hookTimeout: 120_000,
    // Long enough for a busy machine: what is polled for either comes or never does.
    expect: { poll: { timeout: 60_000 } },
  },
})
