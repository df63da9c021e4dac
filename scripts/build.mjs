// Bundles src/ into dist/. Code that is needed only sometimes is in separate chunks, so that it does not slow down the start.
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './set-up.mjs'
import { writeTypes } from './types.mjs'

export async function buildBundle({ entryPoints, outdir, external = [] }) {
  const { build: bundle } = await import('esbuild')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  await bundle({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'none',
    // Loaded on demand from node_modules, or the user's own. Bundled, the CommonJS package yaml would lose its named exports.
    external: ['re2js', 'yaml', 'vitest', ...external],
    define: { 'process.env.ROLLCALL_VERSION': JSON.stringify(version) },
    // Packages in CommonJS load Node's modules with require.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'warning',
  })
}

/** The script and the style of reports: whole files, which become part of each report. */
async function buildReportPage(outdir) {
  const { build: bundle } = await import('esbuild')
  await bundle({
    absWorkingDir: root,
    entryPoints: { 'report-page': 'src/simulate/report/page/main.ts', 'report-page-style': 'src/simulate/report/page/report.css' },
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome100', 'firefox100', 'safari15.4'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** The dashboard: files that a server sends as they are. */
export async function buildDashboard(outdir) {
  const { build: bundle } = await import('esbuild')
  await bundle({
    absWorkingDir: root,
    entryPoints: { app: 'web/main.tsx', worker: 'web/data/worker.ts', 'app-style': 'web/app.css' },
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2023', 'chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
  renameSync(join(root, outdir, 'app-style.css'), join(root, outdir, 'app.css'))
  copyFileSync(join(root, 'web/index.html'), join(root, outdir, 'index.html'))
}

export async function build() {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  // The command, the libraries of package.json's exports, and what runs in the threads of a simulation.
  const types = writeTypes(join(root, 'dist'))
  await buildBundle({
    entryPoints: {
      rollcall: 'src/cli/main.ts',
      index: 'src/simulate/library/library.ts',
      testing: 'src/simulate/library/testing-library.ts',
      'testing-vitest': 'src/simulate/library/vitest-matchers.ts',
      'testing-node': 'src/simulate/library/node-matchers.ts',
      'simulation-worker': 'src/simulate/rollout/run-worker.ts',
    },
    outdir: 'dist',
  })
  chmodSync(join(root, 'dist/rollcall.mjs'), 0o755)
  await buildReportPage('dist')
  await buildDashboard('dist/ui')
  const descriptions = join(root, 'scripts/openapi.mjs')
  if (existsSync(descriptions)) {
    const { writeDescriptions } = await import(pathToFileURL(descriptions).href)
    await writeDescriptions(join(root, 'dist/openapi-descriptions.json'))
  }
  await types
  writeFileSync(join(root, 'dist/.built'), '')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build()
