// Bundles src/ into dist/. What is needed only sometimes stays in chunks of its own, so that start-up does not pay for it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './set-up.mjs'

export async function build() {
  const { build: bundle } = await import('esbuild')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  await bundle({
    absWorkingDir: root,
    entryPoints: { rollcall: 'src/cli/main.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    legalComments: 'none',
    // lmdb brings a binary; client-node is large and needed only for real clusters.
    external: ['lmdb', '@kubernetes/client-node'],
    define: { 'process.env.ROLLCALL_VERSION': JSON.stringify(version) },
    // Packages in CommonJS ask for Node's modules with require.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'warning',
  })
  const descriptions = join(root, 'scripts/openapi.mjs')
  if (existsSync(descriptions)) {
    const { writeDescriptions } = await import(pathToFileURL(descriptions).href)
    await writeDescriptions(join(root, 'dist/openapi-descriptions.json'))
  }
  writeFileSync(join(root, 'dist/.built'), '')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build()
