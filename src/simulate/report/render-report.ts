// A report: one HTML file that needs nothing else. What is text is written here; what is drawn, the page's script draws
// from the data that lies in the file.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Outcome, SimulationResult } from '../rollout/result.ts'
import { renderComparison, renderPercentiles } from './comparison.ts'
import { escapeHtml, escapeJson } from './escape.ts'
import { formatNumber } from './format.ts'
import { nameOf, policyTexts } from './measure-rows.ts'
import { packResult } from './packed.ts'

export function renderReport(result: SimulationResult): string {
  const style = readPageFile('report-page-style.css')
  const script = readPageFile('report-page.js')
  const { title, outcomes } = result
  // Nothing may be loaded, and nothing runs but this script: not even what a manifest might bring in.
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Rollcall</title>
<style>${style}</style>
</head>
<body>
<div class="page">
<header>
<div>
<p class="kicker">Rollcall</p>
<h1>${escapeHtml(title)}</h1>
<p class="subtitle">${escapeHtml(subtitleOf(result))}</p>
</div>
<div class="themes" role="group" aria-label="Colours">
<button type="button" data-theme-choice="system" aria-pressed="true">System</button><button type="button" data-theme-choice="light" aria-pressed="false">Light</button><button type="button" data-theme-choice="dark" aria-pressed="false">Dark</button>
</div>
</header>
<main>
${result.advice === undefined ? '' : `<p class="advice"><b>Advice.</b> ${escapeHtml(result.advice)}</p>`}
${renderFailures(outcomes)}
${renderComparison(result)}
${renderPercentiles(result)}
<h2>${outcomes.length > 1 ? 'Pods and nodes over time' : 'Over time'}</h2>
<p class="without-script">The charts are drawn by a script that is part of this file.</p>
<div class="runs${outcomes.length > 1 ? ' many' : ''}">
${outcomes.map(renderOutcome).join('\n')}
</div>
${renderOrigin(result)}
</main>
<footer>Made by Rollcall. This file holds everything that it shows, and loads nothing.</footer>
</div>
<script type="application/json" id="data">${escapeJson(packResult(result))}</script>
<script>${script}</script>
</body>
</html>
`
}

function subtitleOf({ outcomes, runs, seed }: SimulationResult): string {
  // What has a name of its own was recorded: no seed makes it again.
  const isRecorded = outcomes.every(({ label }) => label !== undefined)
  const parts = [
    outcomes.length > 1 ? `${outcomes.length} ${isRecorded ? 'runs' : 'policies'} compared` : '',
    isRecorded ? '' : runs > 1 ? `${formatNumber(runs)} seeds from ${seed} on; the charts show the first` : `seed ${seed}`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function renderFailures(outcomes: readonly Outcome[]): string {
  const lines = outcomes.flatMap((outcome) => outcome.failures.map((failure) => `<li>${escapeHtml(`${nameOf(outcome)}: ${failure}`)}</li>`))
  if (lines.length === 0) return ''
  return `<div class="failed"><b>${lines.length === 1 ? 'An expectation was not met.' : `${lines.length} expectations were not met.`}</b><ul>${lines.join('')}</ul></div>`
}

function renderOutcome(outcome: Outcome, index: number): string {
  const { measures, label, policy } = outcome
  const isOver = measures.peakOverCap > 0
  const about = label === undefined ? policyTexts[policy].about : policy === 'None' ? '' : policyTexts[policy].name
  return `<section class="card outcome" data-outcome="${index}">
<div class="outcome-head"><div><h3>${escapeHtml(nameOf(outcome))}</h3><p class="about">${escapeHtml(about)}</p></div>
<span class="badge ${isOver ? 'over' : 'within'}">${isOver ? `${formatNumber(measures.peakOverCap)} over the cap` : 'within the cap'}</span></div>
<div class="run"></div>
</section>`
}

function renderOrigin({ command, sources }: SimulationResult): string {
  const source = (name: string, text: string, index: number) => `<details class="printed"><summary>${escapeHtml(name)}</summary>
<div class="source"><pre id="source-${index}">${escapeHtml(text)}</pre><button type="button" data-copies="source-${index}">Copy</button></div></details>`
  return `<h2>How this was made</h2>
<div class="card made">
<div class="source command"><pre id="command">${escapeHtml(command)}</pre><button type="button" data-copies="command">Copy</button></div>
${sources.map(({ name, text }, index) => source(name, text, index)).join('\n')}
</div>`
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** The places of the page's files: beside the built program, and as seen from the sources. */
const places = ['./', '../../../dist/']

function readPageFile(name: string): string {
  for (const place of places) {
    try {
      return readFileSync(new URL(place + name, import.meta.url), 'utf8')
    } catch {
      // Not built there.
    }
  }
  throw new Error(`Cannot find ${name}: build the project first`)
}
