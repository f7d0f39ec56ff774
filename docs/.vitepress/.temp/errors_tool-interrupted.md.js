import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"tool-interrupted","description":"","frontmatter":{},"headers":[],"relativePath":"errors/tool-interrupted.md","filePath":"errors/tool-interrupted.md"}');
const _sfc_main = { name: "errors/tool-interrupted.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="tool-interrupted" tabindex="-1"><code>tool-interrupted</code> <a class="header-anchor" href="#tool-interrupted" aria-label="Permalink to &quot;\`tool-interrupted\`&quot;">​</a></h1><p><strong>Cause.</strong> A process died while a <code>once</code> tool ran, so its outcome is unknown. The tool was not run again.</p><p><strong>What to do.</strong> Give the tool a <code>reconcile</code> function that looks up the result by its <code>idempotencyKey</code>, or declare the effect <code>idempotent</code> if repeating is harmless.</p><h2 id="fields-of-info" tabindex="-1">Fields of <code>info</code> <a class="header-anchor" href="#fields-of-info" aria-label="Permalink to &quot;Fields of \`info\`&quot;">​</a></h2><div class="table" tabindex="0" role="region" aria-label="Table 1"><table><thead><tr><th>field</th><th>type</th></tr></thead><tbody><tr><td><code>tool</code></td><td>string</td></tr></tbody></table></div><p><a href="./">All error codes</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("errors/tool-interrupted.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const toolInterrupted = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  toolInterrupted as default
};
