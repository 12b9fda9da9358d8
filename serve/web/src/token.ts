// Asks for the server's token. It stays in this tab's session storage.
import { ApiError } from "./api.ts";
import { h } from "./dom.ts";

export function askToken(wrong: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let given = false; // Escape and Cancel also close the dialog
    const input = h("input", { type: "password", id: "token", autocomplete: "current-password", required: true });
    const dialog = h(
      "dialog",
      { "aria-labelledby": "token-title", class: "card" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "token-title" }, "The server wants a token"),
        h("p", { class: "note" }, wrong ? "It did not take the last one." : "It is kept in this tab until you close it."),
        // Browsers keep passwords by user: this one is for all.
        h("input", { type: "text", autocomplete: "username", value: "kd", hidden: true }),
        h("label", { for: "token" }, "Token"),
        input,
        h(
          "div",
          { class: "under" },
          h("button", { type: "button", class: "small", onclick: () => dialog.close() }, "Cancel"),
          h("button", { type: "submit", class: "main" }, "Go on"),
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      const token = input.value.trim();
      dialog.remove();
      if (given && token) resolve(token);
      else reject(new ApiError("unauthorized", "The server wants a token."));
    });
    dialog.querySelector("form")!.addEventListener("submit", () => (given = true));
    document.body.append(dialog);
    dialog.showModal();
  });
}
