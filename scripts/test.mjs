// `npm test [-- FILTER …]`: installs, builds, runs the tests that need nothing but Node.js and take seconds, and ends in one line:
// `N passed, N failed, N skipped`. `npm run test:all` (`--all`) runs every test; so does a filter, of the files that it names.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, run } from './set-up.mjs'

ensureInstalled()
await ensureBuilt()
// Tests that take long, need other programs, or repeat with many seeds.
const long = [
  'test/front-door/!(command|credentials|feature-gates|json-output|readme|store).test.ts',
  'test/{real-cluster,memory}/**',
  '**/*.long.test.ts',
]
const [filters, isAll] = [process.argv.slice(2).filter((word) => word !== '--all'), process.argv.includes('--all')]
const isQuick = !isAll && filters.length === 0
const folder = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
const report = join(folder, 'report.json')
// The parity tests compare with recorded responses of Kubernetes.
const without = isQuick
  ? long.map((pattern) => `--exclude=${pattern}`)
  : process.env.ROLLCALL_PARITY
    ? []
    : ['--exclude=test/front-door/parity.test.ts']
if (!isQuick && without.length > 0) console.log('Not run: parity with Kubernetes (ROLLCALL_PARITY names no folder with recorded answers).')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const status = run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...without, ...filters])

let counts
try {
  counts = JSON.parse(readFileSync(report, 'utf8'))
} catch {
  process.stderr.write('The test runner ended before it could report.\n')
  process.exit(status || 1)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const skipped = counts.testResults.flatMap((file) =>
  file.assertionResults.filter((test) => test.status === 'pending' || test.status === 'skipped'),
)
for (const test of skipped) console.log(`skipped: ${test.fullName}`)
if (isQuick)
  console.log(
    'Left out: tests of whole programs, in a browser, on a real Kubernetes, and with many seeds. npm run test:all runs them (CONTRIBUTING.md says what they need).',
  )
if (process.env.CI === 'true' && skipped.length > 0) console.log('In CI nothing may be skipped.')
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped.length} skipped`)
process.exit(process.env.CI === 'true' && skipped.length > 0 ? 1 : status)
