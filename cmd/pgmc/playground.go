package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground"
	"github.com/pgmc-go/pgmc/ir/folder"
)

func (a *app) playgroundCommand() *cobra.Command {
	var out, addr, source string
	cmd := &cobra.Command{
		Use:   "playground",
		Short: "Serve a page on which models are asked, built and changed",
		Long: "Playground serves a page on this computer, or with -o writes it to a folder, whose\n" +
			"files any web server can serve. On the page a model is opened or dropped; states are\n" +
			"observed by clicks, and posteriors are bars. It has sliders for likelihoods,\n" +
			"interventions, the most probable completion, the parameters of each CPD and what the\n" +
			"variable costs, the generated Go package, undo, and a link that keeps model and\n" +
			"evidence. Sequences are filtered, smoothed and decoded slice by slice, influence diagrams\n" +
			"have their best strategy, and real variables their densities. Variables, states, edges and parameters are changed there as well, or a model is\n" +
			"built from nothing, and saved in any format that holds it. All works by keyboard alone.\n\n" +
			"The engine of the page is pgmc itself as WebAssembly: no server computes, and nothing\n" +
			"leaves the browser. A release of pgmc has the engine in it. Otherwise the go command\n" +
			"builds it from pgmc's source, which takes a minute or two and is done again only if the\n" +
			"source changes: the result is kept in your cache folder.",
		Example: "  pgmc playground\n  pgmc playground -o site",
		Args:    cobra.NoArgs,
		RunE: a.Action(func(ctx context.Context, _ []string) error {
			if out != "" {
				page, err := a.page(ctx, source)
				if err != nil {
					return err
				}
				files, err := page.Files()
				if err != nil {
					return err
				}
				return cli.AdviseFolder((&folder.Writer{Dir: out, Files: files}).Write())
			}
			l, err := playground.Listen(addr)
			if err != nil {
				return err
			}
			defer l.Close()
			page, err := a.page(ctx, source)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "http://%s/\n", l.Addr())
			return page.Serve(ctx, l)
		}),
	}
	fl := cmd.Flags()
	fl.StringVarP(&out, "output", "o", "", "write the page to this `folder` instead of serving it")
	fl.StringVar(&addr, "addr", "127.0.0.1:8765", "the `address` to serve at; port 0 is any free one")
	fl.StringVar(&source, "source", "", "the `folder` of pgmc's source to build the engine from, if it is neither here nor in the module cache")
	return cmd
}

// page makes the page, and reports what it does.
func (a *app) page(ctx context.Context, source string) (playground.Page, error) {
	a.Patience = "the engine is built from pgmc's source and kept for the next time"
	progress := a.Progress("building the page", nil)
	defer progress.Stop()
	return playground.New(ctx, source, a.Phase)
}
