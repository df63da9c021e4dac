import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    setupFiles: ['src/api/testing/register-kinds.ts'],
    testTimeout: 30_000,
  },
})
