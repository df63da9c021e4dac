// What npm runs before it packs this folder, links it into a project (`file:../..`), or installs it from git: the package is
// what dist/ holds, and a fresh clone has none.
import { ensureBuilt, ensureInstalled } from './set-up.mjs'

ensureInstalled()
await ensureBuilt()
