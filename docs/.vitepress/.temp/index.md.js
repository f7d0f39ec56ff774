import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Parley","description":"","frontmatter":{},"headers":[],"relativePath":"index.md","filePath":"index.md"}');
const _sfc_main = { name: "index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><div style="display:none;" hidden data-nosnippet>Are you an LLM? View /llms.txt for optimized Markdown documentation, or /llms-full.txt for full documentation bundle</div><h1 id="parley" tabindex="-1">Parley <a class="header-anchor" href="#parley" aria-label="Permalink to &quot;Parley&quot;">​</a></h1><p>Durable LLM agents in TypeScript. Every step of a run is in a journal. If the process is killed, another one resumes the run and does not repeat finished tool calls.</p><ul><li><strong><a href="./start/">Start</a></strong> with Node.js, Hono, Express, Next.js, Cloudflare Workers or Bun, with or without a key.</li><li><strong><a href="./concepts/journal">Concepts</a></strong>: the journal, effects and resume, approvals, the context, sessions and scopes.</li><li><strong><a href="./recipes/">Recipes</a></strong>: programs for one task each. A test runs every program.</li><li><strong><a href="./guides/engine">Guides</a></strong>: every package with its options and guarantees.</li><li><strong><a href="./connect/use-chat">Connect</a></strong> useChat, AG-UI, the OpenAI SDKs, MCP, Prompty and the Agent API.</li><li><strong><a href="./operate/sqlite">Operate</a></strong>: stores, upgrades, backups, limits, and how to erase a person.</li><li><strong><a href="./errors/">Errors</a></strong>: what each code means and what to do.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
